//! Server-side apply, as the API server does it.
