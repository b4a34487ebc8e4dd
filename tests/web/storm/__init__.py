"""Everything at once: play, floods and failures of servers, PostgreSQL, nginx, disk and clock."""
