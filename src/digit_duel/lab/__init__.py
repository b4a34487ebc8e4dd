"""The lab: is a rule set fair, and what is the smallest change that makes it so?"""
