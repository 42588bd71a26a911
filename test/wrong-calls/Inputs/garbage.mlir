this is no program
