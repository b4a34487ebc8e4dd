"""Input from clients: strict JSON, validated against structs."""
