-- Digests no longer cover the rules, so games in progress are looked up by position alone.
DROP INDEX games_not_over;
CREATE INDEX games_by_position ON games (position) WHERE position IS NOT NULL;
