import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'

const PARAGRAPHS = [
  'This is the short version of the plan that the council of Wexhaven has laid out for public comment. It covers the inner harbour, the tram to the container terminal, and the coast between the Old Slip and Gull Point.',
  'Water. The design level of every new wall rises from 4.40 to 6.40 metres above datum. West of the pier the sea wall is set back by eighty metres, and the ground in front of it is left to the dunes.',
  'Work. The basins east of the Kalvesand lock remain a working port. No housing is permitted within 250 metres of a quay in use.',
  'Ways. Line 6 is built in two stages. A footbridge joins Rope Walk to the grain pier, where the old customs shed becomes a school.',
  'Comments are welcome until the last day of the month: in writing, by telephone, or at the town hall on any Thursday evening.',
]

/** A two-page PDF, the same bytes each time. */
export async function makeDocument(): Promise<Uint8Array> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 72,
    info: { Title: 'Harbour Plan 2040', Author: 'City of Wexhaven', CreationDate: new Date(0) },
  })
  const bytes = buffer(document)
  document.rect(0, 0, 595, 230).fill('#12324a')
  document
    .fillColor('#f4efe4')
    .font('Helvetica-Bold')
    .fontSize(34)
    .text('Harbour Plan 2040', 72, 110)
  document.font('Helvetica').fontSize(14).text('Summary for the public', 72, 158)
  document.fillColor('#1c1c1c').fontSize(12)
  document.text(PARAGRAPHS.join('\n\n'), 72, 280, { lineGap: 5 })
  document.addPage().font('Helvetica-Bold').fontSize(18).text('Timetable')
  document.font('Helvetica').fontSize(12).moveDown()
  for (const row of [
    '2027  Sea wall, first section',
    '2029  Line 6 to the fruit terminal',
    '2032  Dunes at Gull Point',
    '2040  Review',
  ])
    document.text(row, { lineGap: 8 })
  document.end()
  return bytes
}
