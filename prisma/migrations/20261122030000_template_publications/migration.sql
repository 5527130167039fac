-- Publications of the themes by `npm run publish-theme`. No page shows them, so no trigger logs changes.
CREATE TABLE "template_publications" (
    "id" SERIAL NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paths" TEXT[],
    "before" JSONB NOT NULL,

    CONSTRAINT "template_publications_pkey" PRIMARY KEY ("id")
);
