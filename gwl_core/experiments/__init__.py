"""The paper's figures and tables, measured again: `protocol` says what an experiment is, `engine` runs one."""
