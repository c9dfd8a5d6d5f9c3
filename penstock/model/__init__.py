"""The words every stage speaks: types, tables, options, row kinds."""
