function tick(p)
    ::again::
    goto again
end
