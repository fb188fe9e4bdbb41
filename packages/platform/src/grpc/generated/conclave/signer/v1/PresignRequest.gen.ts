// Original file: ../../proto/conclave/signer/v1/control.proto

import type { Long } from '@grpc/proto-loader';

export interface PresignRequest {
  'sessionId'?: (Buffer | Uint8Array | string);
  'quorum'?: (number)[];
  'keyId'?: (string);
  'expiresAtMs'?: (number | string | Long);
}

export interface PresignRequest__Output {
  'sessionId': (Buffer);
  'quorum': (number)[];
  'keyId': (string);
  'expiresAtMs': (number);
}
