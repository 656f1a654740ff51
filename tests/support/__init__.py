"""Tools that the tests of every game share."""
