function pick_next()
    return raedy:first()
end
