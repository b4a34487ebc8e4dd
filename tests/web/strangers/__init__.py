"""Black-box tests: their clients share only the server fixture with the other tests."""
