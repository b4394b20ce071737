<?xml version="1.0" encoding="UTF-8"?>
<!-- The text of a file of ours, for whoever works with XSLT 3 (any processor; the tests run it in Saxon).
     An edition file: $view is "corrected" (what the editor reads) or "raw" (what the machine read).
     A collation file: $witness is a siglum; without one, the lemma is taken throughout. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
  xmlns:v="urn:variorum" xpath-default-namespace="http://www.tei-c.org/ns/1.0" exclude-result-prefixes="xs v">
  <xsl:output method="text" encoding="UTF-8"/>
  <xsl:param name="view" as="xs:string" select="'corrected'"/>
  <xsl:param name="witness" as="xs:string" select="''"/>
  <xsl:mode on-no-match="shallow-skip"/>
  <xsl:mode name="text" on-no-match="text-only-copy"/>

  <xsl:variable name="names" as="map(xs:string, xs:string)" select="map {
    'hyphen': '-', 'space': ' ', 'newline': '&#10;', 'tab': '&#9;', 'return': '&#13;', 'shy': '&#xAD;',
    'not-sign': '&#xAC;', 'true-hyphen': '&#x2010;', 'hard-hyphen': '&#x2011;', 'en-dash': '&#x2013;',
    'em-dash': '&#x2014;', 'equals': '=', 'tilde': '~', 'point': '.', 'comma': ',', 'apostrophe': ''''}"/>

  <xsl:template match="text//p | text//head[not(//app)]">
    <xsl:apply-templates mode="text"/>
    <xsl:if test="//app"><xsl:text>&#10;</xsl:text></xsl:if>
  </xsl:template>

  <xsl:template mode="text" match="sic | fw"><xsl:if test="$view eq 'raw'"><xsl:apply-templates mode="text"/></xsl:if></xsl:template>
  <xsl:template mode="text" match="corr"><xsl:if test="$view ne 'raw'"><xsl:apply-templates mode="text"/></xsl:if></xsl:template>
  <xsl:template mode="text" match="lb[@break = 'no']">
    <xsl:if test="$view eq 'raw'">
      <xsl:value-of select="for $word in tokenize(@rend) return $names($word)" separator=""/>
    </xsl:if>
  </xsl:template>
  <xsl:template mode="text" match="app">
    <xsl:apply-templates mode="text" select="
      if ($witness) then *[tokenize(@wit) = '#' || $witness] else lem"/>
  </xsl:template>
</xsl:stylesheet>
