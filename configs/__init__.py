"""YAML files that ship with the package: training runs, evaluations and game variants."""
