"""The logical plan: nodes, how a query becomes them, how they are explained."""
