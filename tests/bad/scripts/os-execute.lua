function tick(p) os.execute("touch /tmp/here") end
