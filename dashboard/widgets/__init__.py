"""Small page parts that Streamlit lacks, each with its script beside it."""
