# Called instead of make_site.py if there is no Python.
message(FATAL_ERROR "The handouts need Python 3, which is not installed. Install it with\n"
                    "    sudo apt-get install python3 doxygen doxygen-awesome-css && cmake --preset default")
