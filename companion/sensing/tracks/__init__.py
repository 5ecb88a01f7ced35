"""Who is where in each frame: bodies that move, lie, are born, are lost; what the model leaves over."""
