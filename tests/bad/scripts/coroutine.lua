local co = coroutine.create(function() end)
