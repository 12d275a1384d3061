"""What people see: Jinja templates and static files. Data only."""
