//! Go's text/template with the value model and the functions that the controller has.
