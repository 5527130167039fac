// Refreshes the sections every two seconds, except those in which the user types or has opened details.
const REFRESH_MS = 2000

function isBusy(section) {
  const { activeElement } = document
  const isTyping = activeElement?.matches('input, select') && section.contains(activeElement)
  return isTyping || section.querySelector('details[open]') !== null
}

async function refresh() {
  if (document.hidden) return
  const response = await fetch(location.href.split('#')[0])
  const refreshed = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const section of document.querySelectorAll('[data-live]')) {
    const next = refreshed.querySelector(`[data-live="${section.dataset.live}"]`)
    if (!next || isBusy(section) || next.innerHTML === section.innerHTML) continue
    const focused = section.contains(document.activeElement) ? document.activeElement : undefined
    const scrolled = section.querySelector('.scroll')?.scrollTop ?? 0
    const index = focused
      ? [...section.querySelectorAll('button, a, [tabindex]')].indexOf(focused)
      : -1
    section.innerHTML = next.innerHTML
    section.querySelector('.scroll')?.scrollTo(0, scrolled)
    if (index >= 0) section.querySelectorAll('button, a, [tabindex]')[index]?.focus()
  }
}

setInterval(() => refresh().catch(() => {}), REFRESH_MS)
