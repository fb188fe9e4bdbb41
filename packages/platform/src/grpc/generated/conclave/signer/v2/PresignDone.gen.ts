// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Long } from '@grpc/proto-loader';

export interface PresignDone {
  'id'?: (string);
  'expiresAtMs'?: (number | string | Long);
}

export interface PresignDone__Output {
  'id': (string);
  'expiresAtMs': (number);
}
