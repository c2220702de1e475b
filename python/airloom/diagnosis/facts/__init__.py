"""What captures show whether or not anything is wrong, in lines."""
