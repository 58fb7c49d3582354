subdirs("build/default")
