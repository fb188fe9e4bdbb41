// Original file: ../../proto/conclave/signer/v1/peer.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DeliverReply as _conclave_signer_v1_DeliverReply, DeliverReply__Output as _conclave_signer_v1_DeliverReply__Output } from './DeliverReply.gen.ts';
import type { DeliverRequest as _conclave_signer_v1_DeliverRequest, DeliverRequest__Output as _conclave_signer_v1_DeliverRequest__Output } from './DeliverRequest.gen.ts';

export interface PeerClient extends grpc.Client {
  Deliver(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_conclave_signer_v1_DeliverRequest, _conclave_signer_v1_DeliverReply__Output>;
  Deliver(options?: grpc.CallOptions): grpc.ClientDuplexStream<_conclave_signer_v1_DeliverRequest, _conclave_signer_v1_DeliverReply__Output>;
  deliver(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_conclave_signer_v1_DeliverRequest, _conclave_signer_v1_DeliverReply__Output>;
  deliver(options?: grpc.CallOptions): grpc.ClientDuplexStream<_conclave_signer_v1_DeliverRequest, _conclave_signer_v1_DeliverReply__Output>;
  
}

export interface PeerHandlers extends grpc.UntypedServiceImplementation {
  Deliver: grpc.handleBidiStreamingCall<_conclave_signer_v1_DeliverRequest__Output, _conclave_signer_v1_DeliverReply>;
  
}

export interface PeerDefinition extends grpc.ServiceDefinition {
  Deliver: MethodDefinition<_conclave_signer_v1_DeliverRequest, _conclave_signer_v1_DeliverReply, _conclave_signer_v1_DeliverRequest__Output, _conclave_signer_v1_DeliverReply__Output>
}
