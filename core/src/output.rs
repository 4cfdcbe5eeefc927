//! Renderings and plans as text, in the controller's own formats.
