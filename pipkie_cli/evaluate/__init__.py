"""Figures about pipkie itself: labelled documents in, measures out; documents in, CPU seconds and memory out.

Measures the real pipeline from PDF or pixels. Never prints, never changes what it measures, and no other room of the
road knows of it.
"""
