highest "weight"
function pick_next()
    consider(ready:first())
    return ready:first()
end
