mistake
