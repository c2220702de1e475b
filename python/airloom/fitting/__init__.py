"""The way back: which worlds a measurement allows (`airloom fit`)."""
