"""The contract between arena and bots: JSON Schemas, examples, OpenAPI. Data only."""
