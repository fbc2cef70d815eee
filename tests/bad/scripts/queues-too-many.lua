level = queues(5000)
