// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Long } from '@grpc/proto-loader';

export interface PresignatureEntry {
  'id'?: (string);
  'keyId'?: (string);
  'signers'?: (number)[];
  'createdAtMs'?: (number | string | Long);
  'expiresAtMs'?: (number | string | Long);
  'usable'?: (boolean);
}

export interface PresignatureEntry__Output {
  'id': (string);
  'keyId': (string);
  'signers': (number)[];
  'createdAtMs': (number);
  'expiresAtMs': (number);
  'usable': (boolean);
}
