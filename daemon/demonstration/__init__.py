"""The demonstration: two agent sessions played into the real hook client."""
