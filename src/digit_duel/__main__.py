"""python -m digit_duel: the same as the command digit-duel."""

from digit_duel.cli import main

main()
