# Headers as Doxygen should read them: in a comment `<gpu>` is no HTML and `\u` no command. `///<`, which is Doxygen's own,
# stands aside meanwhile.
s#///<#///\x01#
:a
s#^([^"]*//.*[^\\])<#\1\\<#
ta
s#\x01#<#
tb
:b
s#^([^"]*//.*[^\\])\\([ux])#\1\\\\\2#
tb
