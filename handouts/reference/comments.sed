# Prepares headers for Doxygen: in their comments `<gpu>` is not HTML and `\u` is not a command. `///<` is Doxygen's own and
# is set aside first.
s#///<#///\x01#
:a
s#^([^"]*//.*[^\\])<#\1\\<#
ta
s#\x01#<#
tb
:b
s#^([^"]*//.*[^\\])\\([ux])#\1\\\\\2#
tb
