// metadata: fake.json
