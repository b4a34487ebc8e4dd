"""What clients send: strict JSON, checked against structs."""
