"""Battle, strongly solved on arrays."""
