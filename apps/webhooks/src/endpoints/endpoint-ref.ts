/** Which endpoint, and whose. */
export interface EndpointRef {
  id: string;
  accountId: string;
}
