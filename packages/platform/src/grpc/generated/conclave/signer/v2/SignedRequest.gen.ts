// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Long } from '@grpc/proto-loader';

export interface SignedRequest {
  'requestId'?: (string);
  'requestedAtMs'?: (number | string | Long);
}

export interface SignedRequest__Output {
  'requestId': (string);
  'requestedAtMs': (number);
}
