// Original file: ../../proto/conclave/signer/v2/control.proto


export interface KeysRequest {
  'keyIds'?: (string)[];
  'which'?: (string);
  'after'?: (string);
  'most'?: (number);
}

export interface KeysRequest__Output {
  'keyIds': (string)[];
  'which': (string);
  'after': (string);
  'most': (number);
}
