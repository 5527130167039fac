const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * Returns the key by which a client's requests are limited: the /64 of an IPv6 address, because a client can use every
 * address in its /64 (RFC 6177 §2, RFC 4291 §2.5.1); an IPv4 address, also as `::ffff:192.0.2.7`, and any other text
 * unchanged.
 */
export function toClientNetwork(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = toGroups(head)
  const right = toGroups(tail ?? '')
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

// Leading zeros are optional (RFC 4291 §2.2).
function toGroups(text: string): string[] {
  return text === '' ? [] : text.split(':').map((group) => group.replace(/^0+(?=.)/, ''))
}
