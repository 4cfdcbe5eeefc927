//! Which objects `disabled-resources` leaves out.
