"""`python -m airloom` is `airloom`."""

from airloom.cli import main

if __name__ == "__main__":
    main()
