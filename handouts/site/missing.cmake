# Called in place of make_site.py where there is no Python to run it.
message(FATAL_ERROR "The handouts need Python 3, which is not installed. This mends it:\n"
                    "    sudo apt-get install python3 doxygen doxygen-awesome-css && cmake --preset default")
