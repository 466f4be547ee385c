"""Hugging Face datasets: audiofolder, apart because its reader asks for torch even where nothing is decoded."""
from samples import wav
from use_datasets import folder

folder("csv", wav, "wav", "audio", "metadata.csv")
folder("jsonl", wav, "wav", "audio", "metadata.jsonl", split="test")
