// What the package answers, in the shape of the record. An EngineError that is thrown is an `error` of the record.

export const operations = {
  'yaml-parse': ({ yaml }, input) => ({ json: yaml.parse(input.yaml) }),
  'yaml-write': ({ yaml }, input) => ({ yaml: yaml.write(input.value) }),
};
