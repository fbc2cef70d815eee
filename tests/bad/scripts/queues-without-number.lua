level = queues()
