// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Long } from '@grpc/proto-loader';

export interface Quarantine {
  'signer'?: (number);
  'check'?: (string);
  'evidence'?: (Buffer | Uint8Array | string);
  'auxiliaryEpoch'?: (number);
  'provenAtMs'?: (number | string | Long);
}

export interface Quarantine__Output {
  'signer': (number);
  'check': (string);
  'evidence': (Buffer);
  'auxiliaryEpoch': (number);
  'provenAtMs': (number);
}
