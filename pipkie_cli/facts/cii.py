"""Where business terms of EN 16931 stand in CII (Factur-X, ZUGFeRD 2, XRechnung), ZUGFeRD 1.0 and Order-X.

CEN/TS 16931-3-3 for D16B; ZUGFeRD 1.0 has the same places under older names, which stand behind a bar. A path that
ends in `/@name` means an attribute.
"""

_DOCUMENT = "ExchangedDocument|HeaderExchangedDocument"
_DEAL = "SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction"
_AGREEMENT = f"{_DEAL}/ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement"
_DELIVERY = f"{_DEAL}/ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery"
_SETTLEMENT = f"{_DEAL}/ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement"
_SUMS = f"{_SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation"
_TERMS = f"{_SETTLEMENT}/SpecifiedTradePaymentTerms"
_MEANS = f"{_SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans"
_CONTEXT = "ExchangedDocumentContext|SpecifiedExchangedDocumentContext"
_ID = "IssuerAssignedID|ID"
_SELLER = f"{_AGREEMENT}/SellerTradeParty"
_BUYER = f"{_AGREEMENT}/BuyerTradeParty"
_SHIP_TO = f"{_DELIVERY}/ShipToTradeParty"
_PHONE = "TelephoneUniversalCommunication/CompleteNumber"
_MAIL = "EmailURIUniversalCommunication/URIID|CompleteNumber"

DOCUMENT: tuple[tuple[str, str], ...] = (
    ("BT-1", f"{_DOCUMENT}/ID"),
    ("BT-2", f"{_DOCUMENT}/IssueDateTime/DateTimeString"),
    ("BT-3", f"{_DOCUMENT}/TypeCode"),
    ("BT-5", f"{_SETTLEMENT}/InvoiceCurrencyCode|OrderCurrencyCode"),
    ("BT-6", f"{_SETTLEMENT}/TaxCurrencyCode"),
    ("BT-7", f"{_SETTLEMENT}/ApplicableTradeTax/TaxPointDate/DateString"),
    ("BT-9", f"{_TERMS}/DueDateDateTime/DateTimeString"),
    ("BT-10", f"{_AGREEMENT}/BuyerReference"),
    ("BT-11", f"{_AGREEMENT}/SpecifiedProcuringProject/ID"),
    ("BT-12", f"{_AGREEMENT}/ContractReferencedDocument/{_ID}"),
    ("BT-13", f"{_AGREEMENT}/BuyerOrderReferencedDocument/{_ID}"),
    ("BT-14", f"{_AGREEMENT}/SellerOrderReferencedDocument/{_ID}"),
    ("BT-15", f"{_DELIVERY}/ReceivingAdviceReferencedDocument/{_ID}"),
    ("BT-16", f"{_DELIVERY}/DespatchAdviceReferencedDocument/{_ID}"),
    ("BT-19", f"{_SETTLEMENT}/ReceivableSpecifiedTradeAccountingAccount/ID"),
    ("BT-20", f"{_TERMS}/Description"),
    ("BT-22", f"{_DOCUMENT}/IncludedNote/Content"),
    ("BT-23", f"{_CONTEXT}/BusinessProcessSpecifiedDocumentContextParameter/ID"),
    ("BT-24", f"{_CONTEXT}/GuidelineSpecifiedDocumentContextParameter/ID"),
    ("BT-25", f"{_SETTLEMENT}/InvoiceReferencedDocument/{_ID}"),
    ("BT-26", f"{_SETTLEMENT}/InvoiceReferencedDocument/FormattedIssueDateTime/DateTimeString"),
    ("BT-27", f"{_SELLER}/Name"),
    ("BT-28", f"{_SELLER}/SpecifiedLegalOrganization/TradingBusinessName"),
    ("BT-29", f"{_SELLER}/ID|GlobalID"),
    ("BT-30", f"{_SELLER}/SpecifiedLegalOrganization/ID"),
    ("BT-31", f"{_SELLER}/SpecifiedTaxRegistration/ID[@schemeID=VA]"),
    ("BT-32", f"{_SELLER}/SpecifiedTaxRegistration/ID[@schemeID=FC]"),
    ("BT-33", f"{_SELLER}/Description"),
    ("BT-34", f"{_SELLER}/URIUniversalCommunication/URIID"),
    ("BT-35", f"{_SELLER}/PostalTradeAddress/LineOne"),
    ("BT-36", f"{_SELLER}/PostalTradeAddress/LineTwo"),
    ("BT-37", f"{_SELLER}/PostalTradeAddress/CityName"),
    ("BT-38", f"{_SELLER}/PostalTradeAddress/PostcodeCode"),
    ("BT-39", f"{_SELLER}/PostalTradeAddress/CountrySubDivisionName"),
    ("BT-40", f"{_SELLER}/PostalTradeAddress/CountryID"),
    ("BT-41", f"{_SELLER}/DefinedTradeContact/PersonName|DepartmentName"),
    ("BT-42", f"{_SELLER}/DefinedTradeContact/{_PHONE}"),
    ("BT-43", f"{_SELLER}/DefinedTradeContact/{_MAIL}"),
    ("BT-44", f"{_BUYER}/Name"),
    ("BT-45", f"{_BUYER}/SpecifiedLegalOrganization/TradingBusinessName"),
    ("BT-46", f"{_BUYER}/ID|GlobalID"),
    ("BT-47", f"{_BUYER}/SpecifiedLegalOrganization/ID"),
    ("BT-48", f"{_BUYER}/SpecifiedTaxRegistration/ID[@schemeID=VA]"),
    ("BT-49", f"{_BUYER}/URIUniversalCommunication/URIID"),
    ("BT-50", f"{_BUYER}/PostalTradeAddress/LineOne"),
    ("BT-51", f"{_BUYER}/PostalTradeAddress/LineTwo"),
    ("BT-52", f"{_BUYER}/PostalTradeAddress/CityName"),
    ("BT-53", f"{_BUYER}/PostalTradeAddress/PostcodeCode"),
    ("BT-54", f"{_BUYER}/PostalTradeAddress/CountrySubDivisionName"),
    ("BT-55", f"{_BUYER}/PostalTradeAddress/CountryID"),
    ("BT-56", f"{_BUYER}/DefinedTradeContact/PersonName|DepartmentName"),
    ("BT-57", f"{_BUYER}/DefinedTradeContact/{_PHONE}"),
    ("BT-58", f"{_BUYER}/DefinedTradeContact/{_MAIL}"),
    ("BT-59", f"{_SETTLEMENT}/PayeeTradeParty/Name"),
    ("BT-60", f"{_SETTLEMENT}/PayeeTradeParty/ID|GlobalID"),
    ("BT-61", f"{_SETTLEMENT}/PayeeTradeParty/SpecifiedLegalOrganization/ID"),
    ("BT-62", f"{_AGREEMENT}/SellerTaxRepresentativeTradeParty/Name"),
    ("BT-63", f"{_AGREEMENT}/SellerTaxRepresentativeTradeParty/SpecifiedTaxRegistration/ID[@schemeID=VA]"),
    ("BT-70", f"{_SHIP_TO}/Name"),
    ("BT-71", f"{_SHIP_TO}/ID|GlobalID"),
    ("BT-72", f"{_DELIVERY}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString"),
    ("BT-73", f"{_SETTLEMENT}/BillingSpecifiedPeriod/StartDateTime/DateTimeString"),
    ("BT-74", f"{_SETTLEMENT}/BillingSpecifiedPeriod/EndDateTime/DateTimeString"),
    ("BT-75", f"{_SHIP_TO}/PostalTradeAddress/LineOne"),
    ("BT-76", f"{_SHIP_TO}/PostalTradeAddress/LineTwo"),
    ("BT-77", f"{_SHIP_TO}/PostalTradeAddress/CityName"),
    ("BT-78", f"{_SHIP_TO}/PostalTradeAddress/PostcodeCode"),
    ("BT-79", f"{_SHIP_TO}/PostalTradeAddress/CountrySubDivisionName"),
    ("BT-80", f"{_SHIP_TO}/PostalTradeAddress/CountryID"),
    ("BT-81", f"{_MEANS}/TypeCode"),
    ("BT-82", f"{_MEANS}/Information"),
    ("BT-83", f"{_SETTLEMENT}/PaymentReference"),
    ("BT-84", f"{_MEANS}/PayeePartyCreditorFinancialAccount/IBANID"),
    ("BT-84", f"{_MEANS}/PayeePartyCreditorFinancialAccount/ProprietaryID"),
    ("BT-85", f"{_MEANS}/PayeePartyCreditorFinancialAccount/AccountName"),
    ("BT-86", f"{_MEANS}/PayeeSpecifiedCreditorFinancialInstitution/BICID"),
    ("BT-87", f"{_MEANS}/ApplicableTradeSettlementFinancialCard/ID"),
    ("BT-88", f"{_MEANS}/ApplicableTradeSettlementFinancialCard/CardholderName"),
    ("BT-89", f"{_TERMS}/DirectDebitMandateID"),
    ("BT-90", f"{_SETTLEMENT}/CreditorReferenceID"),
    ("BT-91", f"{_MEANS}/PayerPartyDebtorFinancialAccount/IBANID"),
    ("BT-106", f"{_SUMS}/LineTotalAmount"),
    ("BT-107", f"{_SUMS}/AllowanceTotalAmount"),
    ("BT-108", f"{_SUMS}/ChargeTotalAmount"),
    ("BT-109", f"{_SUMS}/TaxBasisTotalAmount"),
    ("BT-110", f"{_SUMS}/TaxTotalAmount"),
    ("BT-112", f"{_SUMS}/GrandTotalAmount"),
    ("BT-113", f"{_SUMS}/TotalPrepaidAmount"),
    ("BT-114", f"{_SUMS}/RoundingAmount"),
    ("BT-115", f"{_SUMS}/DuePayableAmount"),
)

TAXES = f"{_SETTLEMENT}/ApplicableTradeTax"
TAX: tuple[tuple[str, str], ...] = (
    ("BT-116", "BasisAmount"),
    ("BT-117", "CalculatedAmount"),
    ("BT-118", "CategoryCode"),
    ("BT-119", "RateApplicablePercent|ApplicablePercent"),
)

LINES = f"{_DEAL}/IncludedSupplyChainTradeLineItem"
_LINE_DEAL = "SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement"
_LINE_DELIVERY = "SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery"
_LINE_SETTLEMENT = "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement"
_LINE_SUMS = "SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation"
_QUANTITY = "BilledQuantity|RequestedQuantity|AgreedQuantity"
_PRODUCT = "SpecifiedTradeProduct"
LINE: tuple[tuple[str, str], ...] = (
    ("BT-126", "AssociatedDocumentLineDocument/LineID"),
    ("BT-127", "AssociatedDocumentLineDocument/IncludedNote/Content"),
    ("BT-129", f"{_LINE_DELIVERY}/{_QUANTITY}"),
    ("BT-130", f"{_LINE_DELIVERY}/{_QUANTITY}/@unitCode"),
    ("BT-131", f"{_LINE_SETTLEMENT}/{_LINE_SUMS}/LineTotalAmount"),
    ("BT-132", f"{_LINE_DEAL}/BuyerOrderReferencedDocument/LineID"),
    ("BT-133", f"{_LINE_SETTLEMENT}/ReceivableSpecifiedTradeAccountingAccount/ID"),
    ("BT-134", f"{_LINE_SETTLEMENT}/BillingSpecifiedPeriod/StartDateTime/DateTimeString"),
    ("BT-135", f"{_LINE_SETTLEMENT}/BillingSpecifiedPeriod/EndDateTime/DateTimeString"),
    ("BT-146", f"{_LINE_DEAL}/NetPriceProductTradePrice/ChargeAmount"),
    ("BT-147", f"{_LINE_DEAL}/GrossPriceProductTradePrice/AppliedTradeAllowanceCharge/ActualAmount"),
    ("BT-148", f"{_LINE_DEAL}/GrossPriceProductTradePrice/ChargeAmount"),
    ("BT-149", f"{_LINE_DEAL}/NetPriceProductTradePrice/BasisQuantity"),
    ("BT-151", f"{_LINE_SETTLEMENT}/ApplicableTradeTax/CategoryCode"),
    ("BT-152", f"{_LINE_SETTLEMENT}/ApplicableTradeTax/RateApplicablePercent|ApplicablePercent"),
    ("BT-153", f"{_PRODUCT}/Name"),
    ("BT-154", f"{_PRODUCT}/Description"),
    ("BT-155", f"{_PRODUCT}/SellerAssignedID"),
    ("BT-156", f"{_PRODUCT}/BuyerAssignedID"),
    ("BT-157", f"{_PRODUCT}/GlobalID"),
    ("BT-158", f"{_PRODUCT}/DesignatedProductClassification/ClassCode"),
    ("BT-159", f"{_PRODUCT}/OriginTradeCountry/ID"),
)
