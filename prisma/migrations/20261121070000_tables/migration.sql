-- CreateExtension
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "sites" (
    "id" SERIAL NOT NULL,
    "acronym" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "default_language" TEXT NOT NULL,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sites_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "global_settings" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "title" TEXT,
    "tagline" TEXT,
    "description" TEXT,
    "logo_id" INTEGER,
    "icon_url" TEXT,
    "social_image_id" INTEGER,
    "theme_color" TEXT,
    "css_slug" TEXT,
    "css_version" TEXT,
    "articles_per_page" INTEGER,
    "copyright" TEXT,
    "contact_email" TEXT,
    "publisher_name" TEXT,
    "twitter_handle" TEXT,
    "social_links" JSONB,
    "active_template" TEXT,
    "ads_txt" TEXT,
    "robots_txt" TEXT,

    CONSTRAINT "global_settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "site_settings" (
    "site_id" INTEGER NOT NULL,
    "title" TEXT,
    "tagline" TEXT,
    "description" TEXT,
    "logo_id" INTEGER,
    "icon_url" TEXT,
    "social_image_id" INTEGER,
    "theme_color" TEXT,
    "css_slug" TEXT,
    "css_version" TEXT,
    "articles_per_page" INTEGER,
    "copyright" TEXT,
    "contact_email" TEXT,
    "publisher_name" TEXT,
    "twitter_handle" TEXT,
    "social_links" JSONB,
    "active_template" TEXT,
    "ads_txt" TEXT,
    "robots_txt" TEXT,

    CONSTRAINT "site_settings_pkey" PRIMARY KEY ("site_id")
);

-- CreateTable
CREATE TABLE "site_languages" (
    "site_id" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "direction" TEXT NOT NULL DEFAULT 'ltr',
    "position" INTEGER NOT NULL DEFAULT 0,
    "labels" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "site_languages_pkey" PRIMARY KEY ("site_id","code")
);

-- CreateTable
CREATE TABLE "navigation_items" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "area" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "language" TEXT,
    "position" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "navigation_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "template_elements" (
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "source" TEXT NOT NULL,

    CONSTRAINT "template_elements_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "template_blocks" (
    "id" SERIAL NOT NULL,
    "element_id" INTEGER NOT NULL,
    "theme" TEXT NOT NULL,
    "language" TEXT,
    "source" TEXT NOT NULL,

    CONSTRAINT "template_blocks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "template_overrides" (
    "id" SERIAL NOT NULL,
    "element_id" INTEGER NOT NULL,
    "site_id" INTEGER NOT NULL,
    "language" TEXT,
    "source" TEXT NOT NULL,

    CONSTRAINT "template_overrides_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "categories" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "parent_id" INTEGER,
    "position" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tags" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "authors" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "job_title" TEXT,
    "bio_html" TEXT,
    "image_id" INTEGER,
    "website_url" TEXT,
    "social_links" TEXT[],
    "expertise" TEXT[],
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "authors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "images" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER,
    "key" TEXT NOT NULL,
    "alt" TEXT NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "mime_type" TEXT NOT NULL,
    "caption" TEXT,
    "credit" TEXT,
    "variants" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "images_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "articles" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "content_type" TEXT NOT NULL DEFAULT 'homepage_article',
    "status" TEXT NOT NULL DEFAULT 'draft',
    "slug" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "translation_group" UUID NOT NULL DEFAULT gen_random_uuid(),
    "title" TEXT NOT NULL,
    "subtitle" TEXT,
    "description" TEXT,
    "body_html" TEXT NOT NULL DEFAULT '',
    "word_count" INTEGER NOT NULL DEFAULT 0,
    "category_id" INTEGER,
    "author_id" INTEGER,
    "image_id" INTEGER,
    "is_featured" BOOLEAN NOT NULL DEFAULT false,
    "show_in_homepage" BOOLEAN NOT NULL DEFAULT true,
    "homepage_position" INTEGER,
    "seo_title" TEXT,
    "seo_description" TEXT,
    "seo_canonical_url" TEXT,
    "seo_robots" TEXT,
    "seo_image_id" INTEGER,
    "published_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "articles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "article_tags" (
    "article_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "article_tags_pkey" PRIMARY KEY ("article_id","tag_id")
);

-- CreateTable
CREATE TABLE "article_versions" (
    "article_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "snapshot" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "article_versions_pkey" PRIMARY KEY ("article_id","version")
);

-- CreateTable
CREATE TABLE "article_scores" (
    "article_id" INTEGER NOT NULL,
    "site_id" INTEGER NOT NULL,
    "score" INTEGER NOT NULL,

    CONSTRAINT "article_scores_pkey" PRIMARY KEY ("article_id")
);

-- CreateTable
CREATE TABLE "revisions" (
    "site_id" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL DEFAULT 0,
    "revised_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revisions_pkey" PRIMARY KEY ("site_id")
);

-- CreateTable
CREATE TABLE "changes" (
    "id" BIGSERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "revision" BIGINT,
    "kind" TEXT NOT NULL,
    "article_id" INTEGER,
    "before" JSONB,
    "after" JSONB,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_secrets" (
    "name" TEXT NOT NULL,
    "value" BYTEA NOT NULL,

    CONSTRAINT "api_secrets_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "sites_acronym_key" ON "sites"("acronym");

-- CreateIndex
CREATE UNIQUE INDEX "sites_domain_key" ON "sites"("domain");

-- CreateIndex
CREATE INDEX "navigation_items_site_id_area_position_idx" ON "navigation_items"("site_id", "area", "position");

-- CreateIndex
CREATE UNIQUE INDEX "template_elements_key_key" ON "template_elements"("key");

-- CreateIndex
CREATE UNIQUE INDEX "template_blocks_element_id_theme_language_key" ON "template_blocks"("element_id", "theme", "language");

-- CreateIndex
CREATE INDEX "template_overrides_element_id_idx" ON "template_overrides"("element_id");

-- CreateIndex
CREATE UNIQUE INDEX "template_overrides_site_id_element_id_language_key" ON "template_overrides"("site_id", "element_id", "language");

-- CreateIndex
CREATE INDEX "categories_parent_id_idx" ON "categories"("parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "categories_site_id_slug_language_key" ON "categories"("site_id", "slug", "language");

-- CreateIndex
CREATE UNIQUE INDEX "tags_site_id_slug_language_key" ON "tags"("site_id", "slug", "language");

-- CreateIndex
CREATE INDEX "authors_image_id_idx" ON "authors"("image_id");

-- CreateIndex
CREATE UNIQUE INDEX "authors_site_id_slug_key" ON "authors"("site_id", "slug");

-- CreateIndex
CREATE INDEX "images_site_id_idx" ON "images"("site_id");

-- CreateIndex
CREATE INDEX "articles_recent_idx" ON "articles"("site_id", "status", "published_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "articles_recent_language_idx" ON "articles"("site_id", "status", "language", "published_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "articles_category_idx" ON "articles"("category_id", "status", "published_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "articles_author_idx" ON "articles"("author_id", "status", "published_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "articles_author_language_idx" ON "articles"("author_id", "status", "language", "published_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "articles_search_idx" ON "articles" USING GIN ("title" gin_trgm_ops, "description" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "articles_image_id_idx" ON "articles"("image_id");

-- CreateIndex
CREATE INDEX "articles_seo_image_id_idx" ON "articles"("seo_image_id");

-- CreateIndex
CREATE UNIQUE INDEX "articles_site_id_slug_language_key" ON "articles"("site_id", "slug", "language");

-- CreateIndex
CREATE UNIQUE INDEX "articles_site_id_translation_group_language_key" ON "articles"("site_id", "translation_group", "language");

-- CreateIndex
CREATE INDEX "article_tags_tag_id_article_id_idx" ON "article_tags"("tag_id", "article_id");

-- CreateIndex
CREATE INDEX "article_scores_site_id_score_article_id_idx" ON "article_scores"("site_id", "score" DESC, "article_id" DESC);

-- CreateIndex
CREATE INDEX "changes_site_id_revision_idx" ON "changes"("site_id", "revision");

-- CreateIndex
CREATE INDEX "changes_site_id_changed_at_idx" ON "changes"("site_id", "changed_at");

-- AddForeignKey
ALTER TABLE "global_settings" ADD CONSTRAINT "global_settings_logo_id_fkey" FOREIGN KEY ("logo_id") REFERENCES "images"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "global_settings" ADD CONSTRAINT "global_settings_social_image_id_fkey" FOREIGN KEY ("social_image_id") REFERENCES "images"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_settings" ADD CONSTRAINT "site_settings_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_settings" ADD CONSTRAINT "site_settings_logo_id_fkey" FOREIGN KEY ("logo_id") REFERENCES "images"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_settings" ADD CONSTRAINT "site_settings_social_image_id_fkey" FOREIGN KEY ("social_image_id") REFERENCES "images"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_languages" ADD CONSTRAINT "site_languages_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "navigation_items" ADD CONSTRAINT "navigation_items_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_blocks" ADD CONSTRAINT "template_blocks_element_id_fkey" FOREIGN KEY ("element_id") REFERENCES "template_elements"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_overrides" ADD CONSTRAINT "template_overrides_element_id_fkey" FOREIGN KEY ("element_id") REFERENCES "template_elements"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_overrides" ADD CONSTRAINT "template_overrides_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "categories"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tags" ADD CONSTRAINT "tags_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authors" ADD CONSTRAINT "authors_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authors" ADD CONSTRAINT "authors_image_id_fkey" FOREIGN KEY ("image_id") REFERENCES "images"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "images" ADD CONSTRAINT "images_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "articles" ADD CONSTRAINT "articles_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "articles" ADD CONSTRAINT "articles_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "categories"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "articles" ADD CONSTRAINT "articles_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "authors"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "articles" ADD CONSTRAINT "articles_image_id_fkey" FOREIGN KEY ("image_id") REFERENCES "images"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "articles" ADD CONSTRAINT "articles_seo_image_id_fkey" FOREIGN KEY ("seo_image_id") REFERENCES "images"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article_tags" ADD CONSTRAINT "article_tags_article_id_fkey" FOREIGN KEY ("article_id") REFERENCES "articles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article_tags" ADD CONSTRAINT "article_tags_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tags"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article_versions" ADD CONSTRAINT "article_versions_article_id_fkey" FOREIGN KEY ("article_id") REFERENCES "articles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article_scores" ADD CONSTRAINT "article_scores_article_id_fkey" FOREIGN KEY ("article_id") REFERENCES "articles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article_scores" ADD CONSTRAINT "article_scores_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

